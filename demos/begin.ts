// What the page begins with. It sets going at once all that the first picture takes, the program and the renderer that
// this browser will draw with, so that nothing is asked for only when something else has arrived.

import './style.css';
import './panel/panel.css';
import './panel/duel.css';
// Last: what narrow screens change.
import './narrow.css';
import { findAdapter } from './view/find-adapter';

void import('./main').then(({ begin }) => begin());
void fetchRenderer(new URLSearchParams(location.search).get('engine'));

/** `wish`: the kind that the address forces. What fails here fails again, and is told, where it is needed. */
async function fetchRenderer(wish: string | null): Promise<void> {
  const isWebGpu = wish !== 'webgl2' && typeof (await findAdapter(wish === 'webgpu')) !== 'string';
  await (isWebGpu ? import('./view/webgpu-renderer') : import('./view/webgl2-renderer')).catch(() => {});
}
