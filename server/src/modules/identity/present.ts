import type { Selectable } from 'kysely';
import type { Tables } from '../../platform/tables.ts';
import { fullName } from './rules.ts';

export type PersonRow = Selectable<Tables['person']>;
/** A person as other users see them. */
export const presentPerson = (p: PersonRow) => ({
  id: p.id,
  email: p.email,
  name: fullName(p),
  first_name: p.first_name,
  last_name: p.last_name,
  timezone: p.timezone,
});
