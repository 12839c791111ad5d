import type { Queue } from '../platform/job-kind.ts';
import type { Role } from '../platform/settings/platform-variables.ts';

/** A process that `npm start` runs: how the log calls it, its role, and what its environment has besides. */
interface RoleProcess {
  name: string;
  role: Role;
  env: Record<string, string>;
}

/** What someone waits for. */
const promptQueues: readonly Queue[] = ['texts', 'default'];
/** What takes long. */
const patientQueues: readonly Queue[] = ['documents', 'bulk'];

/**
 * The processes of a role. What takes long or comes in bulk has one of its own, which gives way to the others: beside an export
 * in the same process, each text waited for its event loop.
 */
export function processesOf(role: Role): RoleProcess[] {
  if (role !== 'worker') return [{ name: role, role, env: {} }];
  return [
    { name: 'worker', role, env: { JOB_QUEUES: promptQueues.join(',') } },
    { name: 'bulk', role, env: { ROLES: role, JOB_QUEUES: patientQueues.join(',') } },
  ];
}
