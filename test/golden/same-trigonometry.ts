// To be imported first: scenes are built with Math.sin and Math.cos, whose last bits differ from one version of Node to
// another. Here they are the engine's own, the same everywhere.

import { cosine, sine } from '../../src/math/trigonometry';

Math.sin = sine;
Math.cos = cosine;
Math.tan = (x) => sine(x) / cosine(x);
