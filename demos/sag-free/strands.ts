// The tuft on a canvas, each strand coloured by the force that its bounds leave.

import { openCanvas } from './curves';

/** Green without a force left, else from yellow to red: half to 20 times the weight of the node that it is left on. */
function forceColour(force: number): string {
  if (force === 0) return 'hsl(130 55% 52%)';
  const share = Math.log(Math.min(20, Math.max(0.5, force)) / 0.5) / Math.log(40);
  return `hsl(${Math.round(70 * (1 - share))} 68% 56%)`;
}

export function drawStrands(
  canvas: HTMLCanvasElement,
  counts: readonly number[],
  positions: readonly number[],
  left: readonly number[],
): void {
  const [context, width, height] = openCanvas(canvas);
  const scale = Math.min(width / 0.3, height / 0.175);
  const across = (x: number) => width / 2 + scale * x;
  const up = (y: number) => height - 14 - scale * (y + 0.005);

  // The skin that they stand on.
  context.strokeStyle = '#4a4f57';
  context.lineWidth = 3;
  context.beginPath();
  context.arc(across(0), up(0), 0.019 * scale, Math.PI - 0.1, 0.1);
  context.stroke();

  context.lineWidth = 1.6;
  context.lineJoin = 'round';
  let at = 0;
  counts.forEach((count, s) => {
    context.strokeStyle = forceColour(left[s]);
    context.beginPath();
    for (let i = 0; i < count; i++, at += 3) context.lineTo(across(positions[at]), up(positions[at + 1]));
    context.stroke();
  });
}
