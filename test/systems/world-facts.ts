// Everything that a game can see of a world's physics: for tests that compare two moments.

import { hasComponent, query } from 'bitecs';
import type { ColumnTree } from '../../components/columns';
import type { Physics } from '../../src/index';

/** Hash, clock, and all columns and tags of every entity of ours, by name of the component. */
export function worldFacts(physics: Physics): Record<string, unknown> {
  const { world, components } = physics;
  physics.interpolate();
  const found: Record<string, unknown> = { hash: physics.hash(), stepCount: physics.stepCount, time: physics.time };
  const read = (tree: ColumnTree, eid: number): unknown =>
    Object.values(tree).map((leaf) => (ArrayBuffer.isView(leaf) ? (leaf as Float64Array)[eid] : read(leaf, eid)));
  for (const [name, component] of Object.entries(components)) {
    // Of bodies: what lost RigidBody is no state of ours.
    const isPart = ['Transform', 'Interpolated', 'Velocity', 'Collider', 'Material'].includes(name);
    const isTag = Object.keys(component).length === 0;
    for (const eid of [...query(world, [component])].sort((a, b) => a - b)) {
      const isStrand =
        isTag && (hasComponent(world, eid, components.Rod) || hasComponent(world, eid, components.Groom));
      if ((isPart || isTag) && !isStrand && !hasComponent(world, eid, components.RigidBody)) continue;
      found[`${name} ${eid}`] = read(component as unknown as ColumnTree, eid);
    }
  }
  return found;
}
