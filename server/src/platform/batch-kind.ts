import { z } from 'zod';

/**
 * A kind of long job (`Batch`): its name, as it is stored, and the shape of its input. A wrong input
 * doesn't compile where a batch is created, and is refused where it is read.
 */
export interface BatchKind<Input> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
}
/** Declares a kind of long job. */
export const batchKind = <Name extends string, Input>(
  name: Name,
  input: z.ZodType<Input>,
): BatchKind<Input> & { readonly name: Name } => ({ name, input });

/** A part of an input that was checked when it was asked for and is stored as it was. */
export const asAsked = <T>(): z.ZodType<T> => z.custom<T>((value) => value !== undefined);
