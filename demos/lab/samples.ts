// Problems that come with the lab: dumps of scenes of the gallery, and published ones (test/validation/friction
// says from where; copies, because the page must be servable on its own).

export interface Sample {
  id: string;
  title: string;
  note: string;
  url: string;
}

export const SAMPLES: readonly Sample[] = [
  {
    id: 'card-house',
    title: 'House of cards',
    note: 'ours, at rest: every contact at a slant',
    url: new URL('./problems/card-house.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'arch',
    title: 'Masonry arch',
    note: 'ours, at rest: fifteen stones, far from any table',
    url: new URL('./problems/arch.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'heavy-top',
    title: 'Stack with a heavy top',
    note: 'ours: the load is at the far end',
    url: new URL('./problems/heavy-top.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'bowl',
    title: 'Bowl of shapes',
    note: 'ours, in motion',
    url: new URL('./problems/bowl.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'elastic-blocks',
    title: 'Elastic blocks',
    note: 'ours, in full form: conjugate residuals, ADMM and what they are compared with',
    url: new URL('./problems/elastic-blocks.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'box-stacks',
    title: 'Box stacks',
    note: 'published, Siconos',
    url: new URL('./problems/Box_Stacks-i0035-31-0.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'boxes-stack',
    title: 'One tall stack',
    note: 'published, Siconos: sweeps crawl',
    url: new URL('./problems/BoxesStack1-i100000-32.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'confeti',
    title: 'Confetti',
    note: 'published, LMGC90',
    url: new URL('./problems/Confeti-ex03-Fc3D-SBM.problem.json.gz', import.meta.url).href,
  },
  {
    id: 'rover',
    title: 'Rover',
    note: 'published, Siconos: wheels and joints',
    url: new URL('./problems/Rover1039.problem.json.gz', import.meta.url).href,
  },
];
