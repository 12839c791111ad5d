import { z } from 'zod';
import { jobKind, spread } from '../../platform/job-kind.ts';

/** Reads a connected account at its provider. Run twice, the second finds its batch done. */
export const syncJob = jobKind(
  'integrations.sync',
  z.object({ companyId: z.number(), connectionId: z.number(), batchId: z.string() }),
  {
    queue: 'default',
    overlap: ({ connectionId }) => spread('sync', `${connectionId}`),
    retries: 2,
    timeoutSeconds: 60,
  },
);

// One reading of an account at a time, so that its limits hold and an older answer isn't written last.
const ofCrm = ({ connectionId }: { connectionId: number }): string =>
  spread('crm', `${connectionId}`);

/** Reads who changed in a CRM. Run twice, the second finds little. */
export const readCrmJob = jobKind(
  'integrations.readCrm',
  z.object({ companyId: z.number(), connectionId: z.number() }),
  { queue: 'default', overlap: ofCrm, retries: 0, timeoutSeconds: 300 },
);

/** Reads people that a call or text was logged with in a CRM. */
export const readPeopleJob = jobKind(
  'integrations.readPeople',
  z.object({
    companyId: z.number(),
    connectionId: z.number(),
    people: z.array(z.object({ id: z.string(), contactId: z.number().nullable() })),
  }),
  { queue: 'default', overlap: ofCrm, retries: 5, timeoutSeconds: 60 },
);
