// Numbers a node of `claims`: seven of the colouring (colour.wgsl), then how many contacts of the crowd are at the
// node, and what they change, x y z, in units of 1 / FINE [m/s]: integers, whose sum does not depend on the order.

const CLAIMS = 11u;
const MET = 7u;
const CHANGE = 8u;
const FINE = 4194304.0;
