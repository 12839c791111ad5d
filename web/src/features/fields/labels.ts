import { entityTypes, type EntityTypeId, type FieldType } from '#contract/fields/rules';
import { t } from '#ui';

/** The name of a field type. */
export const typeName = (type: FieldType): string =>
  ({
    boolean: t('Yes or no'),
    date: t('Date'),
    enum: t('List of choices'),
    number: t('Number'),
    phone: t('Phone number'),
    stringText: t('Long text'),
    stringKeyword: t('Keyword'),
  })[type];
/** What a field type accepts, in a few words. */
export const typeHint = (type: FieldType): string =>
  ({
    boolean: t('Yes, no, or not set'),
    date: t('A calendar date'),
    enum: t('One of the choices below'),
    number: t('Up to 15 digits, decimals included'),
    phone: t('Kept in international form'),
    stringText: t('Up to 10,000 characters'),
    stringKeyword: t('Up to 255 characters, searchable by how it starts'),
  })[type];
type EntityTypeKey = (typeof entityTypes)[number]['key'];
/** The key of each entity type in requests, by its id. */
export const entityTypeKeys = Object.fromEntries(
  entityTypes.map(({ id, key }) => [id, key]),
) as Record<EntityTypeId, EntityTypeKey>;
/** The name of an entity type, by its id. */
export const entityName = (id: number): string =>
  [
    t('Numbers'),
    t('Company'),
    t('Tracking pools'),
    t('Organization'),
    t('People'),
    t('Calls'),
    t('Contacts'),
  ][id - 1] ?? '';
/** The name of a change to a field; unknown ones stay as they are. */
export const actionName = (action: string): string =>
  ({
    created: t('Created'),
    updated: t('Changed'),
    deleted: t('Deleted'),
    override_created: t('Overridden'),
    override_updated: t('Override changed'),
    override_deleted: t('Override deleted'),
  })[action] ?? action;
