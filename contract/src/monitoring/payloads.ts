import { z } from 'zod';
import { id } from '../schemas.ts';
import { alertKindNames, alertSeverities, alertStates } from './rules.ts';

export const alertOpened = z.object({
  companyId: id,
  alertId: id,
  kind: z.enum(alertKindNames),
  severity: z.enum(alertSeverities),
  /** People are told of it now, as their settings say: it is new and worth it. */
  isTold: z.boolean(),
});

export const alertResolved = z.object({
  companyId: id,
  alertId: id,
  state: z.enum(alertStates),
});
