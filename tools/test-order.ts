import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take longest begin first, so that both workers have something to do to the end. Seconds on two cores. */
const long: Record<string, number> = {
  'e2e/cache-consistency.test.ts': 60, 'e2e/cache-consistency-happenings.test.ts': 30, 'server/test/conformance/call-scenarios.test.ts': 80, 'server/test/endpoint-contract.test.ts': 40, 'server/test/tenant-isolation.test.ts': 20, 'server/src/modules/conversations/opt-out.test.ts': 30, 'server/src/modules/conversations/fax/print-pages.test.ts': 28,
};

/** Two journeys at a time, the longest first. One that is not named here goes last. */
const journeysInTurn = ['demo', 'kills', 'starts', 'many-numbers', 'import', 'triage', 'campaign', 'flow', 'ports', 'fields', 'contacts', 'marketplace', 'fax', 'sip'].map((name) => `e2e/${name}.journey.ts`);

/** The same order on every machine: what another run found, or how large files are, plays no part. */
export default class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`;
    const name = (file: TestSpecification) => file.moduleId.replaceAll('\\', '/').replace(root, '');
    const seconds = (file: TestSpecification) => long[name(file)] ?? 0;
    const journeys = files.filter((file) => file.project.name === 'journeys');
    const others = files.filter((file) => !journeys.includes(file));
    const turn = (file: TestSpecification) => (journeysInTurn.indexOf(name(file)) + 1 || Infinity);
    const byName = (a: TestSpecification, b: TestSpecification) => (name(a) < name(b) ? -1 : 1);
    return [...others.toSorted((a, b) => seconds(b) - seconds(a) || byName(a, b)), ...journeys.toSorted((a, b) => (turn(a) === turn(b) ? byName(a, b) : turn(a) - turn(b)))];
  }
}
