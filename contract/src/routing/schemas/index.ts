export * from './hours.ts';
export * from './number.ts';
export * from './routes.ts';
export * from './simulation.ts';
