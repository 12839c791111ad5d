import type { BodyIn, invitations } from '#contract';

export type PersonRow = BodyIn<typeof invitations.inviteMany>['rows'][number];

/** The columns as the template names them, and what they are in the request. */
const columns = {
  Email: 'email',
  'First name': 'first_name',
  'Last name': 'last_name',
  Role: 'role',
  Numbers: 'phone_numbers',
} as const;

/** The address of the template, a file with one example. */
export const templateUrl = (): string =>
  `data:text/csv;charset=utf-8,${encodeURIComponent(
    `${Object.keys(columns).join(',')}\r\nnina@example.com,Nina,North,User,+12125550147;+12125550148\r\n`,
  )}`;

const keyOf = (header: string): (typeof columns)[keyof typeof columns] | undefined => {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return Object.entries(columns).find(([name]) => plain(name) === plain(header))?.[1];
};

/** The people of a CSV file; empty rows are left out. Null: it has no column Email. */
export async function readPeopleFile(text: string): Promise<PersonRow[] | null> {
  const { default: papa } = await import('papaparse');
  const [head = [], ...rows] = papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
  }).data;
  const keys = head.map(keyOf);
  if (!keys.includes('email')) return null;
  return rows.map((cells) =>
    Object.fromEntries(keys.flatMap((key, i) => (key ? [[key, cells[i] ?? '']] : []))),
  );
}
