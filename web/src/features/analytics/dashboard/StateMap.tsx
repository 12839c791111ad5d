import { geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import statesFile from 'us-atlas/states-albers-10m.json';
import { stateNames } from '#contract/states';
import { formatNumber, t } from '#ui';
import css from './dashboard.module.css';
import { shade } from './shade.ts';

type States = Topology<{ states: GeometryCollection<{ name: string }> }>;

// Projected already: for 975 × 610.
const topology = statesFile as unknown as States;
const draw = geoPath();
const shapes = feature(topology, topology.objects.states).features.map((state) => ({
  name: state.properties.name,
  path: draw(state) ?? '',
}));
const codeOf = new Map(Object.entries(stateNames).map(([code, name]) => [name, code]));

/** Calls by the state that the caller's number belongs to. The list beside it has every figure. */
export default function StateMap({ calls }: { calls: ReadonlyMap<string, number> }) {
  const most = Math.max(1, ...calls.values());
  return (
    <svg className={css.map} viewBox="0 0 975 610" role="img" aria-label={t('Calls by state')}>
      {shapes.map(({ name, path }) => {
        const count = calls.get(codeOf.get(name) ?? '') ?? 0;
        return (
          <path
            key={name}
            d={path}
            // By the root, so that one large state doesn't leave all others blank.
            style={{ fill: shade(Math.sqrt(count / most)) }}
          >
            <title>{`${name}: ${formatNumber(count)}`}</title>
          </path>
        );
      })}
    </svg>
  );
}
