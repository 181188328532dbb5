// Reads the instruments of a scene after every step, and keeps what charts show. A scene's rival, the same world under
// other settings, takes its steps here, too, but not within those of the first, which would be billed for them.

import type { Chart, DemoScene, Gauge, Probe, Values } from '../scenes/demo-scene';
import { poseOf, type Session } from './session';

/** Samples of one curve, oldest first from `start`, round and round. */
export interface Trace {
  readonly label: string;
  readonly color: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Samples taken so far; the arrays hold the last of them. */
  count: number;
}

export interface ChartRecord {
  readonly chart: Chart;
  readonly traces: readonly Trace[];
}

export interface GaugeRecord {
  readonly gauge: Gauge;
  /** Of the last step. */
  value: number;
}

export interface Recorder {
  readonly charts: readonly ChartRecord[];
  readonly gauges: readonly GaugeRecord[];
  /** Has the rival, if there is one, take as many steps as the first has taken. */
  follow(): void;
}

/** Adds the system `instruments` to the schedule; `values` gives what the visitor has chosen by now. */
export function createRecorder(
  session: Session,
  rival: Session | null,
  demo: DemoScene | null,
  values: () => Values,
): Recorder {
  const charts: ChartRecord[] = [];
  const gauges: GaugeRecord[] = [];

  for (const instrument of demo?.instruments ?? []) {
    if (instrument.kind === 'gauge') gauges.push({ gauge: instrument, value: 0 });
    else {
      const traces = [createTrace(instrument.label ?? '', instrument.color, instrument.keep)];
      if (rival && demo?.rival) traces.push(createTrace(demo.rival.label, demo.rival.color, instrument.keep));
      charts.push({ chart: instrument, traces });
    }
  }

  const sample = (probe: Probe, of: number) => {
    const chosen = values();
    for (const { chart, traces } of charts) {
      const trace = traces[of];
      const point = chart.read(probe, chosen);
      if (!point) continue;
      const at = trace.count % trace.x.length;
      trace.x[at] = point[0];
      trace.y[at] = point[1];
      trace.count++;
    }
  };

  if (charts.length + gauges.length > 0) {
    const probe = createProbe(session);
    const record = () => {
      for (const gauge of gauges) gauge.value = gauge.gauge.read(probe, values());
      sample(probe, 0);
    };
    session.physics.schedule.after('copy-out', record, 'instruments');
  }

  const rivalProbe = rival && createProbe(rival);

  return {
    charts,
    gauges,
    follow() {
      while (rival && rivalProbe && rival.physics.stepCount < session.physics.stepCount) {
        rival.physics.step();
        sample(rivalProbe, 1);
      }
    },
  };
}

function createTrace(label: string, color: string, keep: number): Trace {
  return { label, color, x: new Float64Array(keep), y: new Float64Array(keep), count: 0 };
}

function createProbe(session: Session): Probe {
  const { physics, entities, rodStarts } = session;
  const arrays = new Map<string, Float64Array>();
  const need = <T>(found: T | undefined, name: string): T => {
    if (found === undefined) throw new Error(`instrument: nothing is called ${name}`);
    return found;
  };
  return {
    get time() {
      // Systems run inside the step, whose time counts when it is over.
      return physics.time;
    },
    body: (name) => poseOf(physics, need(entities.get(name), name)),
    points(name) {
      const points = session.points(name, arrays.get(name));
      arrays.set(name, points);
      return points;
    },
    startPoints: (name) => need(rodStarts.get(name), name),
  };
}
