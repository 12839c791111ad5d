export * from './availability.ts';
export * from './calling.ts';
export * from './records.ts';
