import { z } from 'zod';
import { moods, type CallToRead, type FieldToFill } from '../../gateways/language-model.ts';

const finding = <T extends z.ZodType>(value: T) =>
  z.object({ value, evidence: z.string(), reason: z.string().nullable() }).nullable();

/** The value of a field as a model writes it: dates and phones as text. */
function valueOf({ type, choices }: FieldToFill): z.ZodType<string | number | boolean> {
  if (type === 'boolean') return z.boolean();
  if (type === 'number') return z.number();
  if (type === 'enum' && choices.length > 0) return z.enum([...choices] as [string, ...string[]]);
  return z.string();
}

/** What the model must answer, for this call. */
export const readingSchema = ({ outcomes, fields }: CallToRead) =>
  z.object({
    summary: finding(z.string()),
    sentiment: z
      .object({
        value: z.enum(moods),
        score: z.number(),
        evidence: z.string(),
        reason: z.string().nullable(),
      })
      .nullable(),
    outcome: finding(z.enum(outcomes.map(({ key }) => key) as [string, ...string[]])),
    fields: z.object(Object.fromEntries(fields.map((one) => [one.key, finding(valueOf(one))]))),
  });

/** The same as JSON schema: strict ones name every property and allow no others. */
export const readingJsonSchema = (call: CallToRead): object => {
  const { $schema: _, ...schema } = z.toJSONSchema(readingSchema(call), { target: 'draft-7' });
  return schema;
};
