import { expect, test } from 'vitest';
import { queues } from '../platform/job-kind.ts';
import { processesOf } from './processes.ts';

test('each queue is run by one of a worker’s processes; the other roles have one each', () => {
  const run = processesOf('worker').flatMap(({ env }) => env['JOB_QUEUES']?.split(',') ?? []);
  expect(run.toSorted()).toEqual(Object.keys(queues).toSorted());
  for (const role of ['web', 'media'] as const)
    expect(processesOf(role)).toEqual([{ name: role, role, env: {} }]);
});
