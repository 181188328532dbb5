import { createWorld } from 'bitecs';
import { addRigidBody, addVehicle, createPhysics } from 'stiction';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
export const input = { throttle: 0, steer: 0, brake: 0, handbrake: 0 };

// #region car
export const car = addRigidBody(physics, { shape: { box: [0.8, 0.3, 2] }, mass: 1200, position: [0, 0.8, 0] });
export const wheels = addVehicle(physics, {
  chassis: car,
  antiRoll: 20000, // [N/m]
  wheels: [1.4, -1.4].flatMap((z) =>
    [0.8, -0.8].map((x) => ({
      mount: [x, -0.1, z], // where the suspension begins, in the car's frame [m]
      radius: 0.35,
      friction: 1,
      maxSteer: z > 0 ? 0.5 : 0, // [rad]
      driveForce: z < 0 ? 3000 : 0, // [N]
      handbrakeForce: z < 0 ? 6000 : 0,
      axle: z > 0 ? 0 : 1,
    })),
  ),
});

physics.schedule.before('predict-motion', () => {
  const { Vehicle } = physics.components;
  Vehicle.throttle[car] = input.throttle; // -1..1
  Vehicle.steer[car] = input.steer;
  Vehicle.brake[car] = input.brake; // 0..1
  Vehicle.handbrake[car] = input.handbrake;
});

// #endregion car
export { physics };
