import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take longest begin first, so that both workers have something to do to the end. Seconds on two cores. */
const long: Record<string, number> = {
  'e2e/echo.test.ts': 120, 'server/test/conformance/call-scenarios.test.ts': 80, 'server/test/sweep.test.ts': 40, 'server/src/modules/conversations/opt-out.test.ts': 30, 'server/src/modules/conversations/fax/print-pages.test.ts': 28,
};

/** The same order on every machine: what another run found, or how large files are, plays no part. Journeys go one by one as ever. */
export default class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`;
    const name = (file: TestSpecification) => file.moduleId.replaceAll('\\', '/').replace(root, '');
    const seconds = (file: TestSpecification) => long[name(file)] ?? 0;
    const journeys = files.filter((file) => file.project.name === 'journeys');
    const others = files.filter((file) => !journeys.includes(file));
    return [...others.toSorted((a, b) => seconds(b) - seconds(a) || (name(a) < name(b) ? -1 : 1)), ...(await super.sort(journeys))];
  }
}
