/**
 * Errors by their stable code: the HTTP status, and one sentence with the problem and what to do
 * about it. `{name}` is replaced from the error's facts. Sentences given by the specification are
 * word for word.
 */
export type ErrorTexts = Readonly<Record<string, { status: number; text: string }>>;
