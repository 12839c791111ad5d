import { z } from 'zod';
import { atLeastOne, booleanFlag, text, url, variable } from './variable.ts';

/** `name=value`, separated by commas, as OpenTelemetry has it. */
const headers = text
  .regex(/^([^=,\s]+=[^,]*)(,[^=,\s]+=[^,]*)*$/, 'must be name=value, separated by commas')
  .optional()
  .transform((value) =>
    Object.fromEntries(
      (value ?? '').split(',').flatMap((pair): [string, string][] => {
        const at = pair.indexOf('=');
        return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1))]];
      }),
    ),
  );

/** Where logs are kept, and where traces go. */
export const watchingVariables = {
  LOG_FILE: variable(
    text.regex(/^\//, 'must be a full path').optional(),
    '',
    'File that `npm start` also writes the log to, in JSON; a new one begins each day and at `LOG_FILE_MB` (docs/deploy.md)',
    { example: '/var/log/trunkline/trunkline.log' },
  ),
  LOG_FILE_MB: variable(atLeastOne, '50', 'Megabytes of one file of the log'),
  LOG_FILE_KEEP: variable(atLeastOne, '14', 'How many older files of the log are kept'),
  TRACING: variable(
    booleanFlag,
    '0',
    'Whether traces are sent to an OpenTelemetry collector (`1`), from a carrier’s webhook to a person’s screen (docs/tracing.md)',
    { example: '1' },
  ),
  TRACING_SHARE: variable(
    z.coerce.number('must be a number').gt(0, 'must be more than 0').max(1, 'must be at most 1'),
    '1',
    'Part of the traces that is recorded: `0.1` is one in ten',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    url('http:', 'https:'),
    'http://127.0.0.1:4318',
    'The collector of traces, by OTLP over HTTP',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    headers,
    '',
    'Headers for the collector: `name=value`, separated by commas',
    { example: 'authorization=Bearer%20…', secret: true },
  ),
};
