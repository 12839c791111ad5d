import { addressTargets, bookColumnOf } from '#contract/contacts/importing/headers';

export type AddressTarget = (typeof addressTargets)[number];
type AddressColumns = Partial<Record<AddressTarget, number[]>>;
type Address = Partial<Record<AddressTarget, string>>;

/**
 * The columns of a file's addresses, one entry per address that a person can have ("Business Street",
 * "Home Street"), so that the city of one never joins the street of another.
 */
export function addressColumns(
  headers: readonly string[],
  columnsOf: Readonly<Record<AddressTarget, readonly number[]>>,
): AddressColumns[] {
  const byPlace = new Map<string, AddressColumns>();
  for (const target of addressTargets)
    for (const column of columnsOf[target]) {
      const place = bookColumnOf(headers[column] ?? '')?.place ?? '';
      const columns = byPlace.get(place) ?? {};
      (columns[target] ??= []).push(column);
      byPlace.set(place, columns);
    }
  // Columns that name no place, without a street of their own, complete the others.
  const general = byPlace.get('');
  if (!general || general.address1 || byPlace.size < 2) return [...byPlace.values()];
  byPlace.delete('');
  return [...byPlace.values()].map((columns) => ({ ...general, ...columns }));
}

const readAddress = (cells: readonly string[], columns: AddressColumns): Address => {
  const address: Address = {};
  for (const target of addressTargets) {
    const cell = columns[target]?.map((column) => cells[column]).find((text) => text);
    if (cell) address[target] = cell;
  }
  return address;
};
const oneLine = (address: Address): string =>
  addressTargets.flatMap((target) => address[target] ?? []).join(', ');

/** The first address of a row, and the others in one line each. */
export function readRowAddress(
  cells: readonly string[],
  addresses: readonly AddressColumns[],
): { address: Address; further: string[] } {
  const lines = new Map<string, Address>();
  for (const columns of addresses) {
    const address = readAddress(cells, columns);
    const line = oneLine(address);
    if (line && !lines.has(line.toLowerCase())) lines.set(line.toLowerCase(), address);
  }
  const [address = {}, ...further] = lines.values();
  return { address, further: further.map(oneLine) };
}
