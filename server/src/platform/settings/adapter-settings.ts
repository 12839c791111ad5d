import type { z } from 'zod';
import type { Settings } from '../settings.ts';
import type { Variables } from './variable.ts';

/** Reads a declared variable as its schema parses it; undefined where an optional one is not set. */
type Read<V extends Variables> = <N extends keyof V & string>(name: N) => z.output<V[N]['schema']>;

/** What an adapter knows of the other settings while its own are read. */
export interface ReadContext {
  /** Reports what is wrong, as a sentence for the operator. The start fails once all are known. */
  problem(sentence: string): void;
  /** The names in CARRIER, the default first. */
  carriers: readonly string[];
  /** The name of the fax carrier, or `none`. */
  faxCarrier: string;
  /** Who takes the money. */
  billing: Settings['billing'];
}

/** The settings that one adapter declares. */
export interface AdapterSettings<T> {
  readonly variables: Variables;
  /** @param read reads one of `variables` by its name */
  parse(read: (name: string) => unknown, context: ReadContext): T;
  /** This adapter's part of the settings. */
  of(settings: Pick<Settings, 'adapters'>): T;
}

/**
 * Declares an adapter's settings under its name. `parse` makes them one object, or null when they are
 * not set, so that the adapter is not used.
 */
export const adapterSettings = <const V extends Variables, T>(
  name: string,
  variables: V,
  parse: (read: Read<V>, context: ReadContext) => T,
): AdapterSettings<T> => ({
  variables,
  // `read` parses each value by the schema of the same entry.
  parse: (read, context) => parse(read as Read<V>, context),
  // Written by `readSettings` with what `parse` returned.
  of: ({ adapters }) => adapters[name] as T,
});

/** What the platform needs to know of an adapter to read its settings. */
export interface AdapterDeclaration {
  readonly name: string;
  /** The gateways it implements. */
  readonly gateways: Readonly<Record<string, unknown>>;
  readonly settings?: AdapterSettings<unknown> | undefined;
}

/** The names of the variables that are not set, for a problem's sentence. */
export const namesOfEmpty = (values: Readonly<Record<string, string>>): string[] =>
  Object.keys(values).filter((name) => !values[name]);
