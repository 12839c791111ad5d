#!/usr/bin/env node
/**
 * Checks a report of call tracking with nothing but its CSV file: the checksum that the API answered
 * with, and that the rows add up to the totals. It shares no code with the product.
 *
 *   node tools/verify-report.mjs report.csv 5c0b8b9a…
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Records of a CSV text (RFC 4180). */
function parse(text) {
  const records = [];
  let [record, cell, quoted] = [[], '', false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (c === '"') quoted = !quoted;
    else if (!quoted && c === ',') {
      record.push(cell);
      cell = '';
    } else if (!quoted && c === '\r' && text[i + 1] === '\n') {
      records.push([...record, cell]);
      [record, cell] = [[], ''];
      i++;
    } else cell += c;
  }
  return records;
}

const [file, expected] = process.argv.slice(2);
if (!file || !expected) {
  console.error('usage: verify-report.mjs <file.csv> <checksum>');
  process.exit(2);
}
const bytes = readFileSync(file);
const found = createHash('sha256').update(bytes).digest('hex');
const faults = [];
if (found !== expected) faults.push(`checksum is ${found}`);
const [header = [], ...rows] = parse(bytes.toString('utf8'));
const totals = rows.pop() ?? [];
if (totals[0] !== '(total)') faults.push('the last row is not the total');
// Averages and rates don't add up; credit is shown with one decimal, so each row may be 0.05 off.
for (const [i, name] of header.entries()) {
  if (['key', 'label', 'avg_duration', 'call_rate'].includes(name)) continue;
  const sum = rows.reduce((all, row) => all + Number(row[i]), 0);
  const most = name === 'sessions' ? 0 : (name === 'value_cents' ? 0.5 : 0.05) * (rows.length + 1);
  if (!(Math.abs(sum - Number(totals[i])) <= most + 1e-6))
    faults.push(`${name}: rows are ${sum}, the total is ${totals[i]}`);
}
for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`${rows.length} rows, checksum and totals agree`);
process.exit(faults.length === 0 ? 0 : 1);
