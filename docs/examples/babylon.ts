import { MeshBuilder, Quaternion, type Scene } from '@babylonjs/core';
import { frame } from './first-scene';

// #region draw
export function showCrate(scene: Scene): void {
  scene.useRightHandedSystem = true; // once, before meshes are made
  const mesh = MeshBuilder.CreateBox('crate', { size: 1 }, scene); // our box has HALF extents 0.5
  mesh.rotationQuaternion = new Quaternion();
  scene.onBeforeRenderObservable.add(() => {
    frame(scene.getEngine().getDeltaTime() / 1000, ([x, y, z], [qx, qy, qz, qw]) => {
      mesh.position.set(x, y, z);
      mesh.rotationQuaternion?.set(qx, qy, qz, qw);
    });
  });
}
// #endregion draw
