import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest start first, so that both workers are busy to the end. Seconds on two cores. */
const slowestFirst: Record<string, number> = {
  'e2e/cache-consistency.test.ts': 145,
  'server/test/endpoint-contract.test.ts': 70,
  'server/src/backup/backup.test.ts': 65,
  'server/test/conformance/call-scenarios.test.ts': 55,
  'e2e/script-check.test.ts': 55,
  'e2e/browser-visits.test.ts': 50,
  'server/src/modules/fax/render-pages.test.ts': 50,
  'web/test/roles.test.tsx': 50,
  'server/src/modules/integrations/crm/read-crm.test.ts': 45,
  'e2e/tracking-sessions.test.ts': 40,
  'server/test/one-declaration.test.ts': 30,
  'server/test/nobody-rises.test.ts': 30,
  'e2e/cache-consistency-scenarios.test.ts': 30,
  'server/src/modules/integrations/accounts/googleads.test.ts': 25,
  'server/src/platform/jobs.test.ts': 25,
  'server/test/upgrade/upgrade.test.ts': 25,
  'server/src/modules/integrations/accounts/microsoftads.test.ts': 25,
  'server/src/modules/billing/plan/plan.test.ts': 20,
  'server/src/modules/analytics/query/rollups.test.ts': 20,
  'e2e/script-navigation.test.ts': 20,
  'server/src/modules/integrations/webhooks/webhooks.test.ts': 20,
  'web/test/editors.test.tsx': 20,
  'server/src/platform/export-rows.test.ts': 20,
  'server/test/tenant-isolation.test.ts': 20,
  'server/src/exchange/browsers.test.ts': 18,
};

/** Two journeys at a time, the longest first. One that isn't named here runs last. */
const sequentialJourneys = [
  'demo',
  'outside-accounts',
  'integrations',
  'caddy',
  'kills',
  'campaign',
  'said',
  'startup',
  'billing',
  'tracking-script',
  'import',
  'many-numbers',
  'conversions',
  'apps',
  'tracking',
  'admin-mode',
  'triage',
  'marketplace',
  'caddy-plan',
  'porting',
  'caddy-paint',
  'flow',
  'fields',
  'contacts',
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
