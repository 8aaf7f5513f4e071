"""Graphs of every kind, written by networkx and igraph into the folder argv[1]; prints what each file must hold, as JSON.

Expected are names of nodes and, for each pair that edges join in either direction, the largest weight: what graphdos makes of a directed
graph and of edges that stand twice. Formats without names (graph6, METIS) number the nodes.
"""
import json
import os
import sys

import networkx as nx
import scipy.io
import scipy.sparse

folder = sys.argv[1]
cases = []


def pairs(edges):
    joined = {}
    for u, v, weight in edges:
        key = tuple(sorted((u, v)))
        joined[key] = max(joined.get(key, 0), weight)
    return [[u, v, weight] for (u, v), weight in joined.items()]


def expect(file, nodes, edges, directed):
    cases.append({"file": file, "nodes": nodes, "edges": pairs(edges), "directed": directed})


def dressed(path):
    """The same file as Windows programs write it: CRLF, and a byte order mark."""
    with open(path, "rb") as plain:
        content = plain.read()
    with open(path, "wb") as out:
        out.write(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))


def add(name, G, write, ending, names=True, weights=True, mark=False):
    file = f"{name}.{ending}"
    path = os.path.join(folder, file)
    write(G, path)
    if mark:
        dressed(path)
    number = {u: k for k, u in enumerate(G)}
    called = (lambda u: str(u)) if names else (lambda u: str(number[u]))
    edges = [
        (called(u), called(v), data.get("weight", 1) if weights else 1) for u, v, data in G.edges(data=True)
    ]
    # adjacency lists and METIS do not say whether edges have a direction
    silent = ending in ("adjlist", "multiline_adjlist", "metis", "graph", "edgelist", "txt", "ncol")
    expect(file, [called(u) for u in G], edges, G.is_directed() and not silent)


def plain(G):
    """Without what nodes and edges carry."""
    H = G.__class__()
    H.add_nodes_from(G)
    H.add_edges_from(G.edges)
    return H


def graphs():
    yield "karate", nx.karate_club_graph()
    yield "les", nx.les_miserables_graph()
    G = nx.gnp_random_graph(40, 0.1, seed=3, directed=True)
    for k, (u, v) in enumerate(G.edges):
        G[u][v]["weight"] = 0.25 + k / 8
    yield "arcs", G
    G = nx.relabel_nodes(nx.gnp_random_graph(30, 0.15, seed=4), lambda u: 5 * u + 100)
    G.add_node(7)
    G.add_edge(100, 100)
    yield "numbers", G
    G = nx.Graph()
    G.add_edge("Ada L.", "Émilie du Châtelet", weight=2.5)
    G.add_edge("Émilie du Châtelet", 'Grace "Amazing" Hopper', weight=1)
    G.add_edge('Grace "Amazing" Hopper', "张 三", weight=1e-3)
    G.add_edge("张 三", "O'Neill & Sons <x>", weight=12345678.5)
    G.add_node("nobody: at all")
    yield "names", G
    G = nx.DiGraph()
    G.add_edge("word", "other")
    G.add_edge("other", "word")
    G.add_edge("other", "émile")
    G.add_node("graph")
    yield "words", G
    G = nx.MultiGraph()
    G.add_edge("a", "b", weight=2)
    G.add_edge("a", "b", weight=3)
    G.add_edge("b", "c", weight=1)
    yield "several", G
    G = nx.Graph()
    G.add_node("alone")
    yield "one", G


def kinds():
    """Ids of every kind that networkx and files can hold."""
    for name, ids in [
        ("negative", [-3, -2, -1, 5]),
        ("fractions", [0.5, 1.25, 2.75, 10.125]),
        ("quotes", ['say "a"', "it's", "back\\slash", "semi;colon, comma"]),
        ("scripts", ["Ünïcode", "日本 語", "и", "🙂"]),
    ]:
        for directed in (False, True):
            G = nx.DiGraph() if directed else nx.Graph()
            nx.add_path(G, ids)
            G.add_edge(ids[0], ids[2])
            G.add_node(ids[3])
            if directed:
                for k, (u, v) in enumerate(G.edges):
                    G[u][v]["weight"] = k + 0.5
            yield f"{name}-{'arcs' if directed else 'edges'}", G


def write_weighted(G, path):
    H = G.copy()
    for u, v, data in H.edges(data=True):
        data.setdefault("weight", 1)
    nx.write_weighted_edgelist(H, path, delimiter="\t")


def write_links(G, path):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(nx.node_link_data(G), out, ensure_ascii=False)


def write_edges(G, path):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(nx.node_link_data(G, link="edges"), out)


def write_dot(G, path):
    H = plain(G)
    nx.set_edge_attributes(H, {(u, v): data["weight"] for u, v, data in G.edges(data=True) if "weight" in data}, "weight")
    nx.nx_pydot.write_dot(nx.relabel_nodes(H, lambda u: '"' + str(u).replace('"', '\\"') + '"'), path)


def write_graph6(G, path):
    nx.write_graph6(nx.convert_node_labels_to_integers(G), path)


def write_sparse6(G, path):
    nx.write_sparse6(nx.convert_node_labels_to_integers(G), path, header=False)


def write_metis(G, path):
    """METIS has no writer in networkx: its manual in a few lines; every edge stands in the lines of both ends."""
    number = {u: k + 1 for k, u in enumerate(G)}
    joined = {}
    for u, v, data in G.edges(data=True):
        key = tuple(sorted((number[u], number[v])))
        joined[key] = max(joined.get(key, 0), data.get("weight", 1))
    weighted = any(weight != 1 for weight in joined.values())
    rows = [[] for _ in G]
    for (i, j), weight in joined.items():
        rows[i - 1].append((j, weight))
        if i != j:
            rows[j - 1].append((i, weight))
    with open(path, "w") as out:
        out.write(f"% a comment\n{len(G)} {len(joined)}{' 001' if weighted else ''}\n")
        for row in rows:
            out.write(" ".join(f"{j} {weight}" if weighted else str(j) for j, weight in row) + "\n")


def gml(G, path):
    nx.write_gml(G, path, stringizer=str)


for name, G in graphs():
    add(name, G, gml, "gml", mark=name in ("karate", "names"))
    add(name, G, nx.write_graphml, "graphml")
    # GEXF calls nodes by their ids
    add(name, G, nx.write_gexf, "gexf")
    # networkx's Pajek wants text in all attributes, and does not escape quotes
    H = nx.relabel_nodes(G, str)
    for _, data in H.nodes(data=True):
        data.clear()
    if name != "names":
        add(name, H, nx.write_pajek, "net", mark=name == "les")
    # a line cannot tell a blank inside of a name from one between names
    if name not in ("names", "les"):
        add(name, plain(G), nx.write_adjlist, "adjlist", weights=False, mark=name == "karate")
    if not G.is_multigraph():
        add(name, G, nx.write_multiline_adjlist, "multiline_adjlist", mark=name == "arcs")
        add(name, plain(G), write_metis, "metis", names=False, weights=False)
        add(f"{name}-weighted", G, write_metis, "graph", names=False)
        add(name, G, write_dot, "dot", mark=name == "names")
    if not G.is_directed() and not G.is_multigraph():
        add(name, plain(G), write_sparse6, "s6", names=False, weights=False)
        if nx.number_of_selfloops(G) == 0:
            add(name, plain(G), write_graph6, "g6", names=False, weights=False, mark=name == "karate")

# edge lists name only nodes with edges; tabs keep blanks inside of names
for name, G in [*graphs(), *kinds()]:
    add(name, G, write_links, "json", mark=name == "les")
    add(f"{name}-under-edges", G, write_edges, "json")
    if G.number_of_edges() == 0 or G.is_multigraph():
        continue
    H = G.edge_subgraph(G.edges).copy()
    if name not in ("names", "quotes-edges", "quotes-arcs"):
        add(name, H, write_weighted, "txt", mark=name == "karate")
    if not any(" " in str(u) or "," in str(u) for u in H):
        add(name, H, nx.write_edgelist, "edgelist", mark=name == "arcs")

for name, G in kinds():
    add(name, G, gml, "gml")
    add(name, G, nx.write_graphml, "graphml")
    add(name, G, nx.write_gexf, "gexf", mark=name == "scripts-edges")

# Matrix Market numbers the nodes
scipy_kinds = [("general", "real"), ("general", "integer"), ("symmetric", "real"), ("general", "pattern")]
for name, G in graphs():
    if G.is_multigraph() or G.number_of_edges() == 0:
        continue
    for symmetry, field in scipy_kinds:
        if symmetry == "symmetric" and G.is_directed():
            continue
        weights = field == "real"

        def write_matrix(G, path, dense=False):
            A = nx.to_scipy_sparse_array(G, weight="weight" if weights else None)
            A = scipy.sparse.coo_matrix(A)
            if field == "integer":
                A = A.astype(int)
            scipy.io.mmwrite(path, A.toarray() if dense else A, "one\ntwo", field=field, symmetry=symmetry)

        add(f"{name}-{symmetry}-{field}", G, write_matrix, "mtx", names=False, weights=weights)
        cases[-1]["directed"] = None
        if field == "real":
            add(f"{name}-{symmetry}-dense", G, lambda G, path: write_matrix(G, path, True), "mtx", names=False)
            cases[-1]["directed"] = None

try:
    import igraph
except ImportError:
    igraph = None

if igraph is not None:
    for name, G in [*graphs(), *kinds()]:
        if G.is_multigraph():
            continue
        g = igraph.Graph(
            n=len(G),
            edges=[(list(G).index(u), list(G).index(v)) for u, v in G.edges],
            directed=G.is_directed(),
        )
        g.vs["name" if name in ("arcs", "words") else "label"] = [str(u) for u in G]
        # Pajek's labels are under id in igraph; LGL's names are under name, and may hold no blanks
        def write_pajek(path):
            g.vs["id"] = [str(u) for u in G]
            g.write_pajek(path)
            del g.vs["id"]

        # GraphML's nodes are n0, n1, ... in igraph, and called by name
        def write_graphml(path):
            g.vs["name"] = [str(u) for u in G]
            g.write_graphml(path)

        weighted = all("weight" in data for _, _, data in G.edges(data=True)) and len(G.edges) > 0
        if weighted:
            g.es["weight"] = [float(data["weight"]) for _, _, data in G.edges(data=True)]
        # these name or number only nodes with edges, and do not say whether edges have a direction
        if G.number_of_edges() > 0:
            g.vs["name"] = [str(u).replace(" ", "_") for u in G]
            called = {u: str(u).replace(" ", "_") for u in G}
            number = {u: str(k) for k, u in enumerate(G)}
            H = G.edge_subgraph(G.edges)
            weighted_by = "weight" if weighted else None
            for ending, write, call in [
                ("txt", g.write_edgelist, number),
                ("ncol", lambda path: g.write_ncol(path, names="name", weights=weighted_by), called),
                ("lgl", lambda path: g.write_lgl(path, names="name", weights=weighted_by), called),
            ]:
                # LGL has no loops and no edge in both directions
                loops = any(G.has_edge(v, u) if u != v else True for u, v in G.edges) if G.is_directed() else nx.number_of_selfloops(G)
                if ending == "lgl" and loops:
                    continue
                file = f"{name}-igraph.{ending}"
                write(os.path.join(folder, file))
                nodes = H if ending != "lgl" else G
                edges = [
                    (call[u], call[v], data["weight"] if weighted and ending != "txt" else 1)
                    for u, v, data in G.edges(data=True)
                ]
                expect(file, [call[u] for u in nodes], edges, False)
            if name not in ("arcs", "words"):
                del g.vs["name"]
            else:
                g.vs["name"] = [str(u) for u in G]
        for ending, write in [
            ("gml", g.write_gml),
            ("net", write_pajek),
            ("dot", g.write_dot),
            ("graphml", write_graphml),
        ]:
            file = f"{name}-igraph.{ending}"
            write(os.path.join(folder, file))
            edges = [
                (str(u), str(v), data.get("weight", 1) if weighted else 1) for u, v, data in G.edges(data=True)
            ]
            expect(file, [str(u) for u in G], edges, G.is_directed())

print(json.dumps(cases))
