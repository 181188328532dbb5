// The engine room for strands: everything its module exports. A module of its own, instantiated with a world's first
// rod: a game without rods does not carry it. It works on the same memory as index.ts; code that both use (vectors, the
// tree's boxes, the local contact law) is compiled into both, and no state in globals or static data is shared:
// each module has static data of its own (STRAND_STATICS in state/layout).

export { admmBegin, admmBodies, admmProject, admmRight, admmSweep } from './elastic/admm';
export {
  admmEnd,
  admmGather,
  admmOffset,
  admmStart,
  admmStore,
  admmVelocities,
} from './elastic/gather';
export { admmResidual } from './elastic/residual';
export { admmBalance, admmLook, admmMark, admmMoved, admmWeights } from './elastic/rows';
export { rodCalm, rodForced, rodRest } from './elastic/sleep';
export { admmScale, admmShare } from './elastic/start';
export { admmRouse, admmRouseTouched, admmUpdate, admmUpdateApart } from './elastic/update';
export { rodBury, rodNear } from './proximity/bodies';
export { findStrandContacts, strandKeptSize, strandPassingSize } from './proximity/contacts';
export { findStrandCrossings, strandCrossings } from './proximity/crossing';
export { strandBlocksAsked } from './proximity/leaves';
export { rodAnswer, rodDrive, rodReact, rodStruck } from './rod/carried';
export { rodFastest, rodKeepFree, rodLimitLook, rodSuspects, rodTouched } from './rod/limits';
export { rodIntegrate, rodPredict, rodSolve, rodWeigh, rodWeightedSize, rodWorkSize } from './rod/rods';
