/** Everything with one person (A11), from every number and every channel. Module: conversations, which knows most of it. */
export const contactEventKinds = ['added', 'opted_out', 'opted_in', 'merged', 'note'] as const;
