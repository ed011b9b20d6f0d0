/**
 * Child of `npm run abuse`: reports its port, accepts connections like the service, and closes each that sends a
 * request.
 */
import { createServer, type Socket } from "node:net"

const connections_max = 4_000

const open = new Set<Socket>()

const isRequest = (piece: string | Buffer) => piece.includes("GET ") && piece.includes("\r\n\r\n")

const server = createServer((socket) => {
  open.add(socket)
  socket.on("data", (piece) => isRequest(piece) && socket.destroy()).on("error", () => socket.destroy())
  socket.once("close", () => open.delete(socket))
  const [oldest] = open
  if (open.size > connections_max) oldest?.destroy()
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.(address.port)
})
