/** A language model that reads what was said in a call (A9.1 summary and sentiment, A23 `ai`). */

/** A custom field that is filled from a call. */
export interface FieldToFill {
  key: string;
  name: string;
  type: 'boolean' | 'date' | 'enum' | 'number' | 'phone' | 'stringText' | 'stringKeyword';
  /** What people asked for; empty: the name says it. */
  prompt: string;
  /** Of an enum, by their labels. */
  choices: readonly string[];
  /** The call may not say. */
  allow_null: boolean;
  with_reason: boolean;
}

/** A call to read. Card numbers and the like are gone from `lines`. */
export interface CallToRead {
  lines: readonly { side: 'agent' | 'client' | 'unknown'; text: string }[];
  /** Outcomes that can be suggested, with what each means. */
  outcomes: readonly { key: string; label: string }[];
  fields: readonly FieldToFill[];
}

/** What was found, and the sentence of the call that it rests on, as it was said. */
export interface Finding<T> {
  value: T;
  evidence: string;
  reason: string | null;
}

export const moods = ['positive', 'neutral', 'negative', 'mixed'] as const;
export type Mood = (typeof moods)[number];

/** What a model found in a call. Null: the call doesn't say. Nothing of it is checked yet. */
export interface CallReading {
  model: string;
  summary: Finding<string> | null;
  /** `score`: -1 to 1. */
  sentiment: (Finding<Mood> & { score: number }) | null;
  outcome: Finding<string> | null;
  /** By the fields' keys. */
  fields: Readonly<Record<string, Finding<string | number | boolean> | null>>;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Millionths of a dollar; null: no price is set. */
  costMicros: number | null;
}

/** The model refused the request for good: sending it again gives the same. */
export class LanguageModelRefused extends Error {}

export interface LanguageModel {
  /** Where it runs, shown with what it found. */
  readonly engine: string;
  /** Nothing leaves this machine, and no model is asked. */
  readonly isSimulated: boolean;
  /** Throws `LanguageModelRefused`, or another error when asking again can help. */
  readCall(call: CallToRead): Promise<CallReading>;
}
