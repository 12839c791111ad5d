import { geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import statesFile from 'us-atlas/states-albers-10m.json';
import { stateNames } from '#contract/states';

type States = Topology<{ states: GeometryCollection<{ name: string }> }>;

// Projected already: for 975 × 610.
const topology = statesFile as unknown as States;
const draw = geoPath();
const codeOf = new Map(Object.entries(stateNames).map(([code, name]) => [name, code]));

/** The width and height that the paths are for. */
export const mapSize = { width: 975, height: 610 };
/** The states of the United States, with their outlines as paths of SVG. */
export const stateShapes = feature(topology, topology.objects.states).features.map((state) => ({
  name: state.properties.name,
  code: codeOf.get(state.properties.name) ?? '',
  path: draw(state) ?? '',
}));

/** How dark a state is, from 0 to 1: by the root, so that one large state doesn't leave all others blank. */
export const stateShade = (calls: number, most: number): number => Math.sqrt(calls / most);
