import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

const lists = ['listNumberTemplates', 'getNumberTemplate'] as const;

export const numberTemplateChanged = event<typeof payloads.numberTemplateChanged>({
  name: 'number_template.changed',
  channel: 'companies',
  invalidates: lists,
});

/** A template's settings were copied to a number; routing copies the routes. */
export const templateApplied = event<typeof payloads.templateApplied>({
  name: 'number_template.applied',
  channel: 'companies',
  invalidates: [...lists, 'getNumber', 'listNumbersDatatable'],
  about: ['numberId'],
});
