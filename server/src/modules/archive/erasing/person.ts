/** Whose data is erased or held: a contact with those it was merged from, and all their numbers. */
export interface Person {
  contactIds: number[];
  numbers: string[];
}
