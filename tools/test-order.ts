import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest start first, so that both workers are busy to the end. Seconds on two cores. */
const slowestFirst: Record<string, number> = {
  'server/test/conformance/call-scenarios.test.ts': 80,
  'e2e/cache-consistency.test.ts': 60,
  'server/test/endpoint-contract.test.ts': 40,
  'e2e/cache-consistency-scenarios.test.ts': 35,
  'server/src/modules/contacts/hostile-files.test.ts': 30,
  'server/src/modules/fax/render-pages.test.ts': 28,
  'server/src/platform/export-rows.test.ts': 25,
  'server/test/conformance/twilio-registries.test.ts': 20,
  'server/test/conformance/voice-faults.test.ts': 25,
  'server/test/tenant-isolation.test.ts': 20,
  'server/test/conformance/browser-trunks.test.ts': 15,
  'server/test/conformance/twilio.test.ts': 12,
  'server/src/modules/conversations/opt-out.test.ts': 10,
  'server/src/modules/fax/fax.test.ts': 10,
};

/** Two journeys at a time, the longest first. One that isn't named here runs last. */
const sequentialJourneys = [
  'demo',
  'kills',
  'startup',
  'many-numbers',
  'import',
  'triage',
  'campaign',
  'flow',
  'porting',
  'fields',
  'contacts',
  'marketplace',
  'fax',
  'sip',
].map((name) => `e2e/${name}.journey.ts`);

const missing = [...Object.keys(slowestFirst), ...sequentialJourneys].filter(
  (path) => !existsSync(join(import.meta.dirname, '..', path)),
);
if (missing.length > 0) throw new Error(`tools/test-order.ts names ${missing.join(', ')}`);

/**
 * A worker lives as long as the next file is of the same project, so projects follow each other.
 */
const projects = ['server', 'dom', 'plain', 'journeys'];

/** The same order on every machine: earlier results and file sizes play no part. */
export default class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`;
    const name = (file: TestSpecification) => file.moduleId.replaceAll('\\', '/').replace(root, '');
    const project = (file: TestSpecification) => projects.indexOf(file.project.name);
    const seconds = (file: TestSpecification) => slowestFirst[name(file)] ?? 0;
    const turn = (file: TestSpecification) =>
      sequentialJourneys.indexOf(name(file)) + 1 || files.length;
    const byName = (a: TestSpecification, b: TestSpecification) => (name(a) < name(b) ? -1 : 1);
    return files.toSorted(
      (a, b) =>
        project(a) - project(b) || seconds(b) - seconds(a) || turn(a) - turn(b) || byName(a, b),
    );
  }
}
