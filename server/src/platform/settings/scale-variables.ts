import { z } from 'zod';
import { queues, type Queue } from '../job-kind.ts';
import { namesOf, url, variable } from './variable.ts';

const queueNames = Object.keys(queues) as [Queue, ...Queue[]];

/** Seconds, of which a day is enough. */
const seconds = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0)
  .max(86_400, 'must be at most 86400');

/** What matters once a role runs more than once. */
export const scaleVariables = {
  DATABASE_REPLICA_URL: variable(
    url('postgres:', 'postgresql:').optional(),
    '',
    'A read replica of `DATABASE_URL`, which reports and figures read from (docs/database.md)',
    { example: 'postgres://user:password@10.0.0.6:5432/trunkline', secret: true },
  ),
  WEB_URL: variable(
    url('http:', 'https:').optional(),
    '',
    'Where media processes and workers reach the web processes from inside: the balancer in front of several of them; by default the web process on this machine',
    { example: 'http://10.0.0.2:8080' },
  ),
  MEDIA_URL: variable(
    url('http:').optional(),
    '',
    'Where web processes and workers reach this media process, with its `MEDIA_PORT`; each of several on other machines has its own. It listens on all interfaces then, so keep that port inside. By default only this machine reaches it',
    { example: 'http://10.0.0.3:3001' },
  ),
  JOB_QUEUES: variable(
    namesOf(queueNames),
    queueNames.join(','),
    'Queues whose jobs a worker process runs; the supervisor divides them between two, and sets this',
    { internal: true },
  ),
  DRAIN_SECONDS: variable(
    seconds,
    '0',
    'How long a web process that was told to stop goes on answering while `/readyz` answers 503, so that a balancer sends to others; a little more than it takes to notice',
    { example: '5' },
  ),
  CALL_DRAIN_SECONDS: variable(
    seconds,
    '0',
    'How long a media process that was told to stop takes no new calls and waits for those that are up; what still talks after that is cut off',
    { example: '3600' },
  ),
};
