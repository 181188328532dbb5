import { readFileSync } from 'node:fs';
import { toJsonSchema } from '@valibot/to-json-schema';
import { expect, it } from 'vitest';
import { makeSceneJsonSchema } from '../../src/scene/json-schema';

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: boolean | Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  $defs?: Record<string, Schema>;
};

const root = makeSceneJsonSchema(toJsonSchema) as Schema;

/** A validator for the few words of JSON Schema that ours uses; what it does not know it must not meet. */
function fits(schema: Schema, value: unknown): boolean {
  if (schema.$ref) return fits(root.$defs?.[schema.$ref.replace('#/$defs/', '')] as Schema, value);
  if (schema.anyOf) return schema.anyOf.some((option) => fits(option, value));
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  switch (schema.type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && value.length >= (schema.minLength ?? 0);
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' &&
        (schema.type === 'number' || Number.isInteger(value)) &&
        value >= (schema.minimum ?? value) &&
        value <= (schema.maximum ?? value) &&
        value > (schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY)
      );
    case 'array': {
      if (!Array.isArray(value)) return false;
      const { prefixItems = [], items = {} } = schema;
      if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? value.length)) return false;
      return value.every((item, i) =>
        i < prefixItems.length ? fits(prefixItems[i], item) : typeof items === 'object' && fits(items, item),
      );
    }
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const entries = Object.entries(value);
      if (entries.length < (schema.minProperties ?? 0)) return false;
      if (entries.length > (schema.maxProperties ?? entries.length)) return false;
      if (schema.required?.some((key) => !(key in value))) return false;
      const rest = schema.additionalProperties ?? true;
      return entries.every(([key, item]) => {
        const known = schema.properties?.[key];
        return known ? fits(known, item) : typeof rest === 'object' ? fits(rest, item) : rest;
      });
    }
    case undefined:
      return true;
    default:
      throw new Error(`unknown type ${schema.type}`);
  }
}

it('accepts the scene that the reader accepts', () => {
  const text = readFileSync(new URL('./fixtures/every-kind.scene.json', import.meta.url), 'utf8');
  expect(fits(root, JSON.parse(text))).toBe(true);
});

it('refuses what the reader refuses', () => {
  const body = (part: object) => ({ version: 1, bodies: [{ shape: { sphere: 1 }, ...part }] });
  expect(fits(root, body({}))).toBe(true);
  for (const wrong of [
    {},
    { version: 2 },
    { version: 1, bodys: [] },
    { version: 1, rods: [{}] },
    body({ colour: 1 }),
    body({ mass: 0 }),
    body({ position: [0, 0] }),
    body({ position: [0, 0, 0, 0] }),
    body({ type: 'ghost' }),
    body({ shape: {} }),
    body({ shape: { sphere: 1, box: [1, 1, 1] } }),
    body({ shape: { box: [1, 1, -1] } }),
    body({ shape: { compound: [{ shape: { sphere: -1 } }] } }),
  ]) {
    expect(fits(root, wrong), JSON.stringify(wrong)).toBe(false);
  }
});

it('tells the defaults and the meaning of the fields', () => {
  expect(root.properties?.timeStep).toMatchObject({ default: 1 / 60, description: 'Fixed time step [s]' });
  expect(root.properties?.gravity).toMatchObject({ default: [0, -9.81, 0] });
});
