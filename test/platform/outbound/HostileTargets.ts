/** Hosts as a URL may spell them. None of them is a public host on the internet. */
export const hostile_hosts = [
  // Loopback addresses in all spellings that URL parsers and `inet_aton` accept.
  ..."127.0.0.1 127.1 127.0.1 127.0.0.1. 127.255.255.254 2130706433 017700000001 0x7f000001 0x7F.0.0.1".split(" "),
  ..."0x7f.1 0177.0.0.1 0177.1 00000177.0.0.0x1 127.0x0.0.1 １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1".split(
    " "
  ),
  ..."%31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.%31 %EF%BC%91%EF%BC%92%EF%BC%97.0.0.1 127.0\u00ad.0.1".split(" "),
  // "This network" (0.0.0.0/8).
  ..."0.0.0.0 0 0x0 00 0.1.2.3".split(" "),
  // Private addresses (RFC 1918).
  ..."10.0.0.1 10.255.255.255 167772161 0xa.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 3232235521".split(
    " "
  ),
  ..."0300.0250.0.1 192.168.1".split(" "),
  // Metadata servers of clouds: the link-local address of most, and those of ECS, Alibaba, Oracle and Azure.
  ..."169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.170.2 169.254.0.23".split(" "),
  ..."100.100.100.200 192.0.0.192 168.63.129.16".split(" "),
  // CGNAT, protocol assignments, documentation, benchmarks, relays, multicast, class E, broadcast.
  ..."100.64.0.1 100.127.255.255 192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255".split(" "),
  ..."192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255".split(
    " "
  ),
  // Unspecified and loopback addresses, and those with an IPv4 address: mapped, translated, NAT64, 6to4, Teredo.
  ..."[::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::127.0.0.1] [::7f00:1]".split(" "),
  ..."[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:10.0.0.1] [::ffff:169.254.169.254] [::ffff:8.8.8.8]".split(" "),
  ..."[::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::10.0.0.1]".split(" "),
  ..."[2002:7f00:1::] [2002:a9fe:a9fe::1] [2001::1] [2001:0:7f00:1::]".split(" "),
  // Link-local, site-local and unique local addresses, two of which serve the metadata of AWS and Google.
  ..."[fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [feff::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fd20:ce::254]".split(
    " "
  ),
  // Documentation, discard, SRv6, benchmarks, ORCHID, DRIP, AS112, 6bone, unassigned, multicast.
  ..."[2001:db8::1] [3fff::1] [100::1] [100:0:0:1::1] [5f00::1] [2001:2::1] [2001:10::1] [2001:20::1]".split(" "),
  ..."[2001:30::1] [2620:4f:8000::1] [3ffe::1] [4000::1] [1::1] [ff02::1] [ff0e::1]".split(" ")
]

export const hostile_names = [
  ..."localhost LOCALHOST localhost. a.localhost loc\u00adalhost ｌｏｃａｌｈｏｓｔ localhost.localdomain printer.local".split(
    " "
  ),
  ..."metadata.google.internal instance-data.ec2.internal router.home.arpa intranet metadata db example.com.".split(" ")
]

/** URLs whose host is permitted, but which have another fault. */
export const hostile_urls = [
  // URLs with another scheme than https.
  ..."http://example.com/ ftp://example.com/ file:///etc/passwd gopher://example.com:70/_x data:text/plain,x".split(
    " "
  ),
  ..."javascript:alert(1) ws://example.com/ wss://example.com/ dict://example.com:2628/ ldap://example.com/".split(" "),
  ..."jar:https://example.com!/ unix:/var/run/docker.sock blob:https://example.com/x about:blank".split(" "),
  // URLs with credentials, and URLs in which credentials disguise the host.
  ..."https://user:password@example.com/ https://user@example.com/ https://:password@example.com/".split(" "),
  ..."https://@example.com/ https://example.com@127.0.0.1/ https://127.0.0.1@example.com/ https://a:@example.com/".split(
    " "
  ),
  // Characters that one parser skips and another does not.
  "https://example.com\\@127.0.0.1/",
  "https:\\\\example.com\\",
  "https:/example.com/",
  "https:example.com",
  "https:///example.com/",
  "//example.com/",
  " https://example.com/",
  "https://exa\tmple.com/",
  "https://example.com/\r\nX-Injected: 1",
  "https://example.com/\u0000",
  "https://example.com/a b",
  "https://example.com/#@127.0.0.1/",
  "https://127.0.0.1#@example.com/",
  // Texts that are not URLs.
  ..."https:// example.com https://exa<mple.com/ https://example.com:99999/ https://[::1 https://1.2.3.4.5/".split(" "),
  "",
  `https://example.com/${"a".repeat(2048)}`,
  // Ports of services that would interpret a request as commands.
  ...[0, 22, 23, 25, 110, 143, 445, 465, 587, 993, 2375, 3306, 3389, 5432, 6000, 6379, 6667, 11211, 27017].map(
    (port) => `https://example.com:${port}/`
  )
]
