// The documentation's site: guides from this folder, the reference from the package's types (typedoc.json).
import process from 'node:process';
import { defineConfig } from 'vitepress';

/** Guides by what a game is at: a list of twenty is read by nobody. */
const guides = {
  'Get going': [
    ['Install', 'install'],
    ['First scene', 'first-scene'],
    ['How it works', 'concepts'],
    ['Scene files', 'scene-files'],
  ],
  'Bodies and worlds': [
    ['Floors and levels', 'levels'],
    ['Rays and other questions', 'queries'],
    ['Joints and motors', 'joints'],
    ['Characters', 'characters'],
    ['Vehicles', 'vehicles'],
    ['Water, wind, explosions', 'volumes'],
    ['Sounds from contacts', 'sounds'],
  ],
  'What bends': [
    ['Ropes', 'ropes'],
    ['Hair', 'hair'],
    ['Cloth', 'cloth'],
    ['Jelly, rubber, soft toys', 'solids'],
  ],
  'State and network': [
    ['Saving', 'saving'],
    ['Rollback', 'rollback'],
  ],
  'Speed and shipping': [
    ['Performance', 'performance'],
    ['Profiler', 'profiler'],
    ['Threads', 'threads'],
    ['Workers', 'workers'],
    ['WebGPU', 'webgpu'],
    ['Bundlers, CSP, hot reload', 'bundlers'],
  ],
} as const;

export default defineConfig({
  title: 'stiction',
  description: 'Real-time physics for browser games with exact Coulomb friction',
  // Where it is served from: beside the gallery. DOCS_BASE says otherwise.
  base: process.env.DOCS_BASE ?? '/docs/',
  outDir: '../dist/demos/docs',
  srcExclude: ['node_modules/**'],
  ignoreDeadLinks: [/^\.\.?\/.*reference/],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/install' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Accuracy', link: '/accuracy' },
    ],
    sidebar: {
      '/': [
        ...Object.entries(guides).map(([group, pages]) => ({
          text: group,
          items: pages.map(([text, page]) => ({ text, link: `/guide/${page}` })),
        })),
        {
          text: 'Coming from',
          items: [
            { text: 'Rapier', link: '/migrate/rapier' },
            { text: 'cannon-es', link: '/migrate/cannon-es' },
            { text: 'Havok', link: '/migrate/havok' },
          ],
        },
        {
          text: 'Know',
          items: [
            { text: 'In depth', link: '/manual' },
            { text: 'Architecture', link: '/architecture' },
            { text: 'Troubleshooting', link: '/troubleshooting' },
            { text: 'Accuracy', link: '/accuracy' },
            { text: 'Limits', link: '/limits' },
          ],
        },
      ],
    },
    search: { provider: 'local' },
    outline: 'deep',
  },
});
