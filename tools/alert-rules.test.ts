import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'deploy/watch');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const rules = read('trunkline-rules.yml');

/** Of Node and of Prometheus itself, and of its blackbox exporter. */
const others = /^(process_|nodejs_|probe_|up$)/;
/** Words of the query language that look like names of metrics. */
const words = new Set(
  'sum min by rate increase histogram_quantile predict_linear time topk and or for changes fill le lane kind job route target status'.split(
    ' ',
  ),
);

/** Names of the metrics in an expression, without the suffixes of histograms. */
const metricsIn = (expression: string): string[] =>
  [...expression.replace(/"[^"]*"|\{\{.*?\}\}/g, '').matchAll(/[a-z][a-z_]{2,}/g)]
    .map(([name]) => name)
    .filter((name) => !words.has(name) && !others.test(name))
    .map((name) => name.replace(/_(count|bucket|sum)$/, ''));

const source = readdirSync(join(root, 'server/src'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(root, 'server/src', name), 'utf8'))
  .join('\n');
const declared = new Set(
  [...source.matchAll(/(?:name:|gauge\()\s*'([a-z_]+)'/g)].map(([, name]) => name ?? ''),
);

const expressions = [
  ...[...rules.matchAll(/expr: (.*)/g)].map(([, expression]) => expression ?? ''),
  ...(
    JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
  ).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

test('what is watched is measured', () => {
  expect(expressions.length).toBeGreaterThan(25);
  const unknown = expressions.flatMap(metricsIn).filter((name) => !declared.has(name));
  expect(unknown).toEqual([]);
  // A name that nothing measures would be found.
  expect(declared.has(metricsIn('sum(rate(nothing_measures_this[5m]))')[0] ?? '')).toBe(false);
});

test('no metric has a label that Prometheus gives itself', () => {
  const labels = [
    ...[...source.matchAll(/labelNames: \[([^\]]*)\]/g)].map(([, names]) => names ?? ''),
    ...[...source.matchAll(/= gauge\(([^)]*)\)/g)].map(([, given]) => given ?? ''),
  ];
  expect(labels.length).toBeGreaterThan(10);
  expect(labels.filter((names) => /'(job|instance)'/.test(names))).toEqual([]);
});

test('every alert has a runbook', () => {
  const headings = [
    ...readFileSync(join(root, 'docs/runbooks.md'), 'utf8').matchAll(/^## (.*)$/gm),
  ].map(([, heading]) => (heading ?? '').toLowerCase().replaceAll(' ', '-'));
  const named = [...rules.matchAll(/runbook: 'docs\/runbooks\.md#([^']+)'/g)].map(([, at]) => at);
  expect(named.length).toBe([...rules.matchAll(/- alert:/g)].length);
  expect(named.filter((at) => !headings.includes(at ?? ''))).toEqual([]);
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
test.skipIf(!promtool)('the rules fire, and stay silent, as Prometheus reads them', () => {
  for (const args of [
    ['check', 'rules', 'trunkline-rules.yml'],
    ['test', 'rules', 'trunkline-rules.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
});
