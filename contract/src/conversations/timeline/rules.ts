/** Events of a contact on its timeline (A11), beside the items of its conversations. */
export const contactEventKinds = ['added', 'opted_out', 'opted_in', 'merged', 'note'] as const;
