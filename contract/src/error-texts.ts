/**
 * Errors by their stable code: the HTTP status, and one sentence that says what failed and what to do.
 * `{name}` is filled in from the error's facts. Sentences the specification gives are word for word.
 */
export type ErrorTexts = Readonly<Record<string, { status: number; text: string }>>;
