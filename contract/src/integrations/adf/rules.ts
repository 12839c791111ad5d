/** What an ADF document says of a lead (A16.4). Browsers load this. */

/** What a department's calls are about, as the document's `service` says it. */
export const adfServices = {
  sales: 'Sales',
  service: 'Service',
  parts: 'Parts',
  rental: 'Rental',
  other: 'Other',
} as const;
type AdfLeadType = keyof typeof adfServices;
export const adfLeadTypes = Object.keys(adfServices) as [AdfLeadType, ...AdfLeadType[]];

const typeOfDepartment: Readonly<Partial<Record<string, AdfLeadType>>> = {
  sales: 'sales',
  service: 'service',
  quick_lube: 'service',
  body_shop: 'service',
  parts: 'parts',
  accessories: 'parts',
  rentals: 'rental',
};
/** The type of a lead, by the department of its call. */
export const adfLeadType = (department: string): AdfLeadType =>
  typeOfDepartment[department] ?? 'other';

/** Who called within these many days is no new lead. */
export const adfFirstContactDays = 30;
/** Characters of the comments. */
export const adfCommentLength = 4000;
/** `{dealer}` becomes the dealer's name; without it the name is put before. */
export const adfSubject = 'New call lead – {dealer}';
