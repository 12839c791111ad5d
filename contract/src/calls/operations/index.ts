export * from './calling.ts';
export * from './records.ts';
