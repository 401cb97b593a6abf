"""Invented pages in the shapes that the sites have. They prove the plumbing, not today's sites."""

ARTICLE = """<!doctype html><html lang="en"><head><title>Rivers of the north</title>
<link rel="canonical" href="https://news.example/rivers">
<meta name="author" content="Ada Byron"></head><body>
<nav><a href="/">Home</a> <a href="/about">About us</a> <a href="javascript:alert(1)">Run</a></nav>
<main><article><h1>Rivers of the north</h1>
<p>The Torne is the longest free river of its country, and its salmon return every June to the
rapids near Kukkola, where people have fished with nets on long poles for seven hundred years.</p>
<h2>Ice</h2><p id="ice">In April the ice breaks with a sound like thunder, and children are kept
home from school for a day. Whoever guesses the hour of the break wins a hundred crowns.</p>
<p>Nobody has ever guessed the minute. The record was set in 1987 by a postman who said that he
had listened to the ice at night, every night, for two weeks before the day came.</p>
</article></main>
<footer>Subscribe to our newsletter</footer></body></html>"""
