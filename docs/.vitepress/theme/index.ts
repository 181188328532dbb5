// VitePress' own theme with what it lacks for readers of all kinds: contrast of 4.5:1, and a landmark on the page for
// addresses that do not exist.

import { withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import './readable.css';

/** The page for addresses that do not exist. */
function notFound() {
  const link = (path: string, text: string) => h('a', { href: withBase(path) }, text);
  const where = ['Look in the ', link('/guide/install', 'guide'), ', the ', link('/reference/', 'reference')];
  return h('main', { class: 'not-found' }, [h('h1', 'No page here'), h('p', [...where, ', or by the search above.'])]);
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound }),
};
