// Groom files: each format as its description says, written here byte by byte; broken ones; resampling.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/core/errors';
import { readGroom } from '../../src/scene/grooms/read-groom';
import { resampleGroom } from '../../src/scene/grooms/resample-groom';

type Strands = number[][][];

/** Little-endian bytes: 'i' 32-bit whole, 'h' 16-bit, 'f' 32-bit float. */
function pack(...fields: ['i' | 'h' | 'f', number[]][]): Uint8Array {
  const size = fields.reduce((sum, [kind, list]) => sum + list.length * (kind === 'h' ? 2 : 4), 0);
  const view = new DataView(new ArrayBuffer(size));
  let at = 0;
  for (const [kind, list] of fields) {
    for (const x of list) {
      if (kind === 'h') view.setUint16(at, x, true);
      else if (kind === 'i') view.setUint32(at, x, true);
      else view.setFloat32(at, x, true);
      at += kind === 'h' ? 2 : 4;
    }
  }
  return new Uint8Array(view.buffer);
}

function writeSalon(strands: Strands): Uint8Array {
  return pack(
    ['i', [strands.length]],
    ...strands.flatMap((s): ['i' | 'f', number[]][] => [
      ['i', [s.length]],
      ['f', s.flat()],
    ]),
  );
}

function writeHair(strands: Strands, { same = false, colours = false } = {}): Uint8Array {
  const points = strands.flat();
  const arrays = (same ? 0 : 1) | 2 | (colours ? 16 : 0);
  const header: ['i' | 'f', number[]][] = [
    ['i', [0x52494148, strands.length, points.length, arrays, same ? strands[0].length - 1 : 0]],
    ['f', [0.1, 0, 0.5, 0.4, 0.3]],
    ['i', new Array(22).fill(0)],
  ];
  return pack(
    ...header,
    ...(same ? [] : [['h', strands.map((s) => s.length - 1)] as ['h', number[]]]),
    ['f', points.flat()],
    ...(colours ? [['f', points.flat()] as ['f', number[]]] : []),
  );
}

function writeTressFx(strands: Strands, gap = 0): Uint8Array {
  const at = 160 + gap;
  return pack(
    ['f', [4]],
    ['i', [strands.length, strands[0].length, at, 0, 0, 0, 0, ...new Array(32).fill(0), ...new Array(gap / 4).fill(7)]],
    ['f', strands.flat().flatMap((p) => [...p, 1])],
  );
}

// Halves are exact in 32 bits.
const EVEN: Strands = [
  [
    [0, 0, 0],
    [0, 1, 0],
    [0, 2, 0.5],
  ],
  [
    [1, 0, 0],
    [1, 1, 0],
    [1.5, 2, 0],
  ],
];
const UNEVEN: Strands = [
  ...EVEN,
  [
    [2, 0, 0],
    [2, 0, 1],
  ],
];

describe('readGroom', () => {
  const cases: [string, Strands, Uint8Array][] = [
    ['.data', UNEVEN, writeSalon(UNEVEN)],
    ['.hair with segments', UNEVEN, writeHair(UNEVEN)],
    ['.hair without', EVEN, writeHair(EVEN, { same: true })],
    ['.hair with colours', UNEVEN, writeHair(UNEVEN, { colours: true })],
    ['.tfx', EVEN, writeTressFx(EVEN)],
    ['.tfx with a gap after the header', EVEN, writeTressFx(EVEN, 64)],
  ];
  for (const [name, strands, bytes] of cases) {
    it(`reads ${name} from any kind of bytes`, () => {
      const padded = new Uint8Array(bytes.length + 3);
      padded.set(bytes, 3);
      for (const given of [bytes, bytes.buffer as ArrayBuffer, padded.subarray(3)]) {
        const { counts, positions } = readGroom(given);
        expect(Array.from(counts)).toEqual(strands.map((s) => s.length));
        expect(Array.from(positions)).toEqual(strands.flat(2));
      }
    });

    it(`refuses ${name} cut short anywhere, and never misreads it`, () => {
      for (let end = 0; end < bytes.length; end++) {
        // What follows the points of a .hair file is not needed.
        if (name.includes('colours') && end >= bytes.length - 12 * strands.flat().length) break;
        const cut = bytes.subarray(0, end);
        expect(() => readGroom(cut, name.slice(0, 5).trim()), `${end} bytes`).toThrow(UsageError);
      }
    });
  }

  it('says what is wrong with a file that promises more than it holds', () => {
    const huge = (bytes: Uint8Array, at: number, value: number) => {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(at, value, true);
      return copy;
    };
    const wrong: [Uint8Array, string, string][] = [
      [
        huge(writeSalon(EVEN), 0, 0x7fffffff),
        '.data',
        'readGroom: .data file must have 8589934592 bytes to hold the counts of 2147483647 strands, got 84',
      ],
      [
        huge(writeSalon(EVEN), 4, 0x7fffffff),
        '.data',
        'readGroom: .data file must have 25769803772 bytes to hold 2147483647 points of strand 0, got 84',
      ],
      [
        huge(writeSalon(EVEN), 4, 0xffffffff),
        '.data',
        'readGroom: .data file must have at least 0 points in strand 0, got -1',
      ],
      [
        huge(writeHair(EVEN), 4, 0xffffffff),
        '',
        'readGroom: .hair file must have 8589934718 bytes to hold the segments of 4294967295 strands, got 204',
      ],
      [
        huge(writeHair(EVEN), 8, 0xffffffff),
        '',
        'readGroom: .hair file must have 51539607672 bytes to hold 4294967295 points, got 204',
      ],
      [huge(writeHair(EVEN), 8, 5), '', 'readGroom: .hair file must have 6 points for its segments, got 5'],
      [huge(writeHair(EVEN), 12, 1), '', 'readGroom: .hair file must have an array of points, got none'],
      [
        huge(writeHair(EVEN, { same: true }), 16, 0xffffffff),
        '',
        'readGroom: .hair file must have 8589934592 points for 2 strands, got 6',
      ],
      [huge(writeTressFx(EVEN), 4, 0xffffffff), '', 'bytes to hold 4294967295 strands of 3 vertices, got 256'],
      [
        huge(writeTressFx(EVEN), 12, 0),
        '.tfx',
        'readGroom: .tfx file must have its positions after the header, from byte 160, got 0',
      ],
      [pack(['f', [3]], ['i', new Array(50).fill(1)]), 'a.TFX', 'readGroom: .tfx file must be of version 4, got 3'],
      [
        new Uint8Array(7),
        '',
        'readGroom: file must be .hair, .tfx (version 4), .data or a baked groom, got 7 bytes of another kind',
      ],
    ];
    for (const [bytes, name, message] of wrong) expect(() => readGroom(bytes, name), message).toThrow(message);
    expect(() => readGroom('text' as never)).toThrow(
      'readGroom: bytes must be an ArrayBuffer or a typed array, got "text"',
    );
  });

  it('takes any bytes or throws a UsageError', () => {
    const valid = [writeSalon(UNEVEN), writeHair(UNEVEN), writeTressFx(EVEN)];
    const changed = fc
      .tuple(fc.constantFrom(...valid), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }))
      .map(([bytes, edits]) => {
        const copy = bytes.slice();
        for (const [at, value] of edits) copy[at % copy.length] = value;
        return copy;
      });
    const attempt = (bytes: Uint8Array, name: string) => {
      try {
        const groom = readGroom(bytes, name);
        resampleGroom(groom, { vertices: 4, scale: 'head' });
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    };
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 300 }), changed),
        fc.constantFrom('', '.hair', '.data', '.tfx'),
        attempt,
      ),
      { numRuns: 1000 },
    );
  });
});

describe('resampleGroom', () => {
  const make = (strands: Strands) => readGroom(writeSalon(strands));
  const strand = (positions: Float64Array, vertices: number, s: number) =>
    Array.from({ length: vertices }, (_, i) =>
      Array.from(positions.subarray(3 * (vertices * s + i), 3 * (vertices * s + i) + 3)),
    );

  it('cuts strands at equal arc lengths and keeps their ends', () => {
    // An L of lengths 3 and 1: quarters lie at 1, 2, 3 along it.
    const { counts, positions } = resampleGroom(
      make([
        [
          [0, 0, 0],
          [3, 0, 0],
          [3, 1, 0],
        ],
      ]),
      { vertices: 5 },
    );
    expect(Array.from(counts)).toEqual([5]);
    const expected = [
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
      [3, 0, 0],
      [3, 1, 0],
    ];
    strand(positions, 5, 0).forEach((p, i) => {
      p.forEach((x, k) => {
        expect(x).toBeCloseTo(expected[i][k], 12);
      });
    });
    const two = resampleGroom(
      make([
        [
          [0, 0, 0],
          [3, 0, 0],
          [3, 1, 0],
        ],
      ]),
      { vertices: 2 },
    );
    expect(Array.from(two.positions)).toEqual([0, 0, 0, 3, 1, 0]);
  });

  it('gives edges of one length on a smooth curve, whatever the spacing of its points', () => {
    const arc = Array.from({ length: 400 }, (_, i) => {
      const a = (i / 399) ** 2 * Math.PI;
      return [Math.cos(a), Math.sin(a), 0];
    });
    const { positions } = resampleGroom(make([arc]), { vertices: 33 });
    const chord = 2 * Math.sin(Math.PI / 64);
    for (let i = 1; i < 33; i++) {
      const at = 3 * i;
      const edge = Math.hypot(positions[at] - positions[at - 3], positions[at + 1] - positions[at - 2]);
      expect(edge / chord).toBeCloseTo(1, 3);
    }
  });

  it('drops degenerate strands and repeated points, and counts what it drops', () => {
    const groom = make([
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, 0],
        [0, 1, 0],
      ],
      [[1, 1, 1]],
      [],
      [
        [2, 2, 2],
        [2, 2, 2],
      ],
      [
        [Number.NaN, 0, 0],
        [1, 0, 0],
      ],
      [
        [0, 0, 0],
        [Number.POSITIVE_INFINITY, 0, 0],
      ],
      [
        [0, 0, 0],
        [1, 0, 0],
        [0.5, 0, 0],
      ],
      [
        [0, 0, 5],
        [0, 1, 5],
      ],
    ]);
    const { counts, positions, dropped } = resampleGroom(groom);
    expect(Array.from(counts)).toEqual([2, 2]);
    expect(Array.from(positions)).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 5, 0, 1, 5]);
    expect(dropped).toBe(6);
    expect(() => resampleGroom(make([[[1, 1, 1]], []]))).toThrow('nowhere straight back, got "0 of 2"');
  });

  it('draws the same subset for the same seed, in the order of the file, without repeats', () => {
    const groom = make(
      Array.from({ length: 200 }, (_, i) => [
        [i, 0, 0],
        [i, 1, 0],
      ]),
    );
    const roots = (seed: number) => {
      const { positions } = resampleGroom(groom, { maxStrands: 50, seed });
      return Array.from({ length: 50 }, (_, s) => positions[6 * s]);
    };
    const first = roots(1);
    expect(first).toEqual(roots(1));
    expect(first).not.toEqual(roots(2));
    expect(first).toEqual([...new Set(first)].sort((a, b) => a - b));
    // Evenly drawn: neither half of the file is preferred by much (binomial, five standard deviations).
    const low = [3, 4, 5, 6].flatMap(roots).filter((x) => x < 100).length;
    expect(Math.abs(low - 100)).toBeLessThan(31);
    expect(resampleGroom(groom, { maxStrands: 500 }).counts.length).toBe(200);
  });

  it('scales to a head by the roots, centres, turns and places', () => {
    const groom = make([
      [
        [10, 0, 0],
        [10, 7, 0],
      ],
      [
        [14, 0, 2],
        [14, 5, 2],
      ],
    ]);
    const { positions, scale } = resampleGroom(groom, { scale: 'head', rotation: [0, 0, 1, 1], position: [0, 1.5, 0] });
    expect(scale).toBeCloseTo(0.05, 12);
    // Roots at ∓0.1 along x and ∓0.05 along z, turned a quarter about z: x → y, y → −x.
    const expected = [0, 1.4, -0.05, -0.35, 1.4, -0.05, 0, 1.6, 0.05, -0.25, 1.6, 0.05];
    expected.forEach((x, k) => {
      expect(positions[k]).toBeCloseTo(x, 12);
    });
    expect(resampleGroom(groom, { scale: 0.01 }).positions[0]).toBeCloseTo(0.1, 12);
    // All from one root: their own extent counts.
    const tuft = resampleGroom(
      make([
        [
          [0, 0, 0],
          [4, 0, 0],
        ],
        [
          [0, 0, 0],
          [0, 2, 0],
        ],
      ]),
      { scale: 'head' },
    );
    expect(tuft.scale).toBeCloseTo(0.05, 12);
  });

  it('refuses wrong options by name', () => {
    const groom = make(EVEN);
    const wrong: [object, string][] = [
      [{ vertices: 1 }, 'resampleGroom: vertices must be a whole number 2..1000, got 1'],
      [{ vertices: 2.5 }, 'resampleGroom: vertices must be a whole number 2..1000, got 2.5'],
      [{ maxStrands: 0 }, 'resampleGroom: maxStrands must be a whole number >= 1, got 0'],
      [{ seed: 0.5 }, 'resampleGroom: seed must be a whole number, got 0.5'],
      [{ scale: -1 }, 'resampleGroom: scale must be > 0, got -1'],
      [{ rotation: [0, 0, 0, 0] }, 'resampleGroom: rotation must not be zero'],
      [{ position: [1] }, 'resampleGroom: position must be 3 numbers [m], got [1]'],
    ];
    for (const [options, message] of wrong) expect(() => resampleGroom(groom, options), message).toThrow(message);
    expect(() => resampleGroom({} as never)).toThrow('resampleGroom: groom must come from readGroom');
  });
});
