/**
 * Loaded into every process that the supervisor starts. When the supervisor ends, even by kill -9,
 * the channel to it closes: shut down as well, so that the next start finds the ports free.
 */
function exit(): void {
  setTimeout(() => process.exit(1), 8_000).unref();
  process.kill(process.pid, 'SIGTERM');
}

if (process.send) {
  // The supervisor may have ended while this process was loading; then no event is emitted.
  if (process.connected) process.once('disconnect', exit);
  else exit();
}
