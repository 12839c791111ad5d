import type { Body } from '#contract';
import type { updateContact as contactEndpoint } from '#contract/contacts/endpoints';
import type { IdColumn, UpdatableType } from '#contract/archive/field-updates/rules';
import { entityTypes, type EntityTypeId } from '#contract/fields/rules';
import type { PermissionKey } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { updateCall } from '../../calls/index.ts';
import { updateCompany, updateCompanyUser } from '../../companies/index.ts';
import { updateContact } from '../../contacts/index.ts';
import { changeNumber } from '../../numbers/index.ts';
import { updatePool } from '../../tracking/index.ts';

type Values = NonNullable<Body<typeof contactEndpoint>['eavAttributeValues']>;

interface Kind {
  /** Besides `fields.edit`, what changing many such objects needs. */
  permission: PermissionKey;
  /** As rows of which a sentence says that there is none. */
  noun: string;
  /**
   * Changes one object as its own screen does, with its history, audit and event. Fails with 404, or
   * 422 at the fields that are wrong.
   */
  set(t: TxCtx, id: number, values: Values): Promise<unknown>;
}

/** What a file can change, by the key of its entity type. */
export const kinds: Record<UpdatableType, Kind> = {
  number: {
    permission: 'numbers.buy',
    noun: 'number',
    set: (t, id, eavAttributeValues) => changeNumber(t, id, { eavAttributeValues }),
  },
  'tracking-pool': {
    permission: 'dni.edit',
    noun: 'tracking pool',
    set: (t, id, eavAttributeValues) => updatePool(t, id, { eavAttributeValues }),
  },
  contact: {
    permission: 'contacts.bulk',
    noun: 'contact',
    set: (t, id, eavAttributeValues) => updateContact(t, id, { eavAttributeValues }),
  },
  call: {
    permission: 'calls.edit',
    noun: 'call',
    set: (t, id, eavAttributeValues) => updateCall(t, id, { eavAttributeValues }),
  },
  user: {
    permission: 'users.edit',
    noun: 'person',
    set: (t, id, eavAttributeValues) => updateCompanyUser(t, id, { eavAttributeValues }),
  },
  company: {
    permission: 'company.edit',
    noun: 'company',
    set: (t, _, values) => updateCompany(t, { eav_attribute_values: values }),
  },
};

/** The ID of an entity type in the API and in tables. */
export const entityTypeIdOf = (type: UpdatableType): EntityTypeId =>
  mustBe(
    entityTypes.find(({ key }) => key === type),
    'the entity type',
  ).id;

/** The reverse. Throws for an organization, which no file changes. */
export const typeOfId = (id: number): UpdatableType => {
  const key = entityTypes.find((one) => one.id === id)?.key;
  if (!key || key === 'organization') throw new Error(`no file changes the entity type ${id}`);
  return key;
};

/** What the column says by itself. Null: the request says. */
export const typeOfColumn = (column: IdColumn): UpdatableType | null =>
  ({ number: 'number', pool_id: 'tracking-pool', entity_id: null } as const)[column];
