/** Starts an embedded server in the folder given as argument, prints its connection, and runs until it is killed. */
import { startCluster } from '../../src/db/cluster.ts';

try {
  const cluster = await startCluster({ folder: process.argv[2] ?? '', durable: false });
  console.log(JSON.stringify({ pid: cluster.pid, host: cluster.connection.host }));
  process.stdin.on('end', () => void cluster.stop());
  process.stdin.resume();
} catch (error) {
  console.log(JSON.stringify({ refused: (error as Error).message }));
}
